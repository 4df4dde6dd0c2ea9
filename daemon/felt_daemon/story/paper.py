"""How the page looks: on a screen, light or dark, and on A4 or Letter paper."""

STYLE = """\
:root { color-scheme: light dark; --ink: #16191d; --paper: #ffffff; --soft: #56606b; --line: #c9d0d8;
  --tint: #f1f4f7; --loud: #a30f1c; --on-loud: #ffffff; --bar: #56779c; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e8ebee; --paper: #14171a; --soft: #a7b1bb; --line: #3c444d; --tint: #1f2429;
    --loud: #ff8f8f; --on-loud: #14171a; --bar: #86a9d1; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1.5rem; max-width: 62rem; background: var(--paper); color: var(--ink);
  font: 15px/1.45 system-ui, "Segoe UI", "DejaVu Sans", sans-serif; }
header { border-bottom: 2px solid var(--ink); margin-bottom: 1rem; }
h1 { font-size: 1.5rem; margin: 0 0 .2rem; }
h2 { font-size: 1.1rem; margin: 1.6rem 0 .5rem; break-after: avoid; }
.says { font-size: 1.15rem; margin: .2rem 0 .8rem; }
.status { display: inline-block; border: 2px solid currentColor; padding: 0 .5rem; font-weight: 700;
  margin: 0 0 .8rem; }
.status.loud { background: var(--loud); color: var(--on-loud); border-color: var(--loud); }
.banner { border: 4px double var(--loud); padding: .7rem 1rem; margin: 1rem 0; break-inside: avoid; }
.banner strong { color: var(--loud); }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .15rem 1rem; margin: 0; }
dt { color: var(--soft); }
dd { margin: 0; overflow-wrap: anywhere; }
ol { margin: .2rem 0; padding-left: 1.4rem; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .25rem .6rem .25rem 0;
  border-bottom: 1px solid var(--line); }
th { color: var(--soft); font-weight: 600; border-bottom-color: var(--ink); }
td { overflow-wrap: break-word; }
.timeline td:nth-child(-n+3) { white-space: nowrap; font-variant-numeric: tabular-nums; }
.people td:nth-child(3), .holds td:nth-child(2) { white-space: nowrap; }
.people td:first-child { white-space: nowrap; font-variant-numeric: tabular-nums; }
tr { break-inside: avoid; }
thead { display: table-header-group; }
tr.override td { font-weight: 700; color: var(--loud); }
tr.refused td, tr.escalation td { font-weight: 600; }
tr.day td { color: var(--soft); background: var(--tint); }
.hash { font-family: ui-monospace, "DejaVu Sans Mono", monospace; font-size: .85em; }
.soft { color: var(--soft); }
svg { width: 100%; height: auto; break-inside: avoid; }
svg text { fill: var(--ink); font: 12px system-ui, "DejaVu Sans", sans-serif; }
svg .small { font-size: 10px; }
svg .grid { stroke: var(--line); }
svg .bar { fill: var(--bar); }
svg .bar.open { fill: var(--tint); stroke: var(--bar); stroke-width: 2; stroke-dasharray: 5 3; }
svg .bar.override { fill: var(--paper); stroke: var(--loud); stroke-width: 2; }
svg .mark { fill: var(--paper); stroke: var(--ink); stroke-width: 1.5; }
svg .letter { font-size: 11px; font-weight: 700; }
svg .stop, svg .arrow { fill: var(--ink); }
svg .cross { stroke: var(--loud); stroke-width: 4; fill: none; }
svg .round { stroke: var(--ink); stroke-width: 2; }
@media print {
  :root { color-scheme: light; --ink: #000; --paper: #fff; --soft: #444; --line: #bbb; --tint: #eee;
    --loud: #8a0000; --on-loud: #fff; --bar: #777; }
  body { max-width: none; padding: 0; font-size: 10pt; }
  .status.loud { print-color-adjust: exact; } }
@page { margin: 16mm 14mm; }
"""

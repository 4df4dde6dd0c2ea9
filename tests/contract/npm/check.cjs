// Checks the contract with the tools of others:
//   node check.cjs ASYNCAPI SCHEMAS GOLDEN
// The AsyncAPI document with AsyncAPI's own parser; every schema of a folder with ajv, in strict mode and the
// dialect 2020-12; every golden payload of a folder against the envelope and the schema that its `dataschema` names.
// Prints what was checked as JSON; what is wrong on stderr, and ends with 1.
"use strict";
const fs = require("node:fs");
const path = require("node:path");
const Ajv2020 = require("ajv/dist/2020").default;
const { Parser, fromFile } = require("@asyncapi/parser");

const ENVELOPE = "urn:felt:schema:message:envelope:1";
const ERROR = 0;
const WARNING = 1;
const wrong = [];

function documents(folder) {
  return fs
    .readdirSync(folder)
    .filter((name) => name.endsWith(".json"))
    .sort()
    .map((name) => [name, JSON.parse(fs.readFileSync(path.join(folder, name), "utf8"))]);
}

async function checkDocument(file) {
  const { document, diagnostics } = await fromFile(new Parser(), file).parse();
  for (const one of diagnostics.filter((each) => each.severity === ERROR || each.severity === WARNING)) {
    wrong.push(`${file}: ${one.path.join("/")}: ${one.message}`);
  }
  if (document === undefined) {
    return {};
  }
  return {
    version: document.version(),
    channels: document.allChannels().length,
    operations: document.allOperations().length,
    messages: document.allMessages().length,
  };
}

// The validators of all schemas that are any, by their ids.
function checkSchemas(folder) {
  const ajv = new Ajv2020({ strict: true, allErrors: true });
  const validators = new Map();
  for (const [name, schema] of documents(folder)) {
    try {
      validators.set(schema.$id, ajv.compile(schema));
    } catch (error) {
      wrong.push(`${name}: ${error.message}`);
    }
  }
  return validators;
}

function checkGolden(validators, folder) {
  const found = documents(folder);
  for (const [name, event] of found) {
    const checks = [
      [ENVELOPE, event, { ...event, late: "no" }],
      [event.dataschema, event.data, [event.data]],
    ];
    for (const [id, right, broken] of checks) {
      const validate = validators.get(id);
      if (validate === undefined) {
        wrong.push(`${name}: there is no schema ${id}`);
      } else if (!validate(right)) {
        const places = validate.errors.map((error) => `${error.instancePath} ${error.message}`);
        wrong.push(`${name}: ${id}: ${places.join(", ")}`);
      } else if (validate(broken)) {
        // What takes anything would pass all of the above.
        wrong.push(`${name}: ${id}: what is wrong was taken`);
      }
    }
  }
  return found.length;
}

async function main() {
  const [asyncapi, schemas, golden] = process.argv.slice(2);
  const document = await checkDocument(asyncapi);
  const validators = checkSchemas(schemas);
  const payloads = checkGolden(validators, golden);
  console.log(JSON.stringify({ document, schemas: validators.size, payloads }));
  for (const line of wrong) {
    console.error(line);
  }
  process.exitCode = wrong.length === 0 ? 0 : 1;
}

main();

// Runs each module of a folder, one after the other, against the endpoint that
// the environment names, and tells it which one comes next.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [folder, endpoint] = process.argv.slice(2);
for (const file of readdirSync(folder).filter((name) => name.endsWith(".ts")).sort()) {
  await fetch(endpoint, { method: "POST", headers: { "X-Amz-Target": `Next.${file.slice(0, -3)}` }, body: "{}" });
  try {
    await import(pathToFileURL(join(folder, file)).href);
  } catch (error) {
    console.log(`${file}: ${error}`);
    process.exitCode = 1;
  }
}

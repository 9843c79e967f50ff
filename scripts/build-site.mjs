// Puts the site together: joins the style sheets, names files by their content, compresses them, writes the manifest.
// Plain Node without packages. Called by build-site.sh with the project's root and the folder of the bound WebAssembly.

import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, extname, join, relative } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const [root, bound] = process.argv.slice(2);
const site = join(root, 'target', 'site');
const pkg = join(site, 'pkg');

/** Files worth compressing; images other than SVG are compressed already. */
const COMPRESSIBLE = new Set(['.css', '.js', '.json', '.svg', '.txt', '.wasm', '.webmanifest', '.xml']);

/** The style sheet with every import in its place and layer, without comments and indentation. */
function joinStyles(main) {
  const joined = readFileSync(main, 'utf8').replace(
    /^@import url\("([^"]+)"\) layer\((\w+)\);$/gm,
    (_, path, layer) => `@layer ${layer} {\n${readFileSync(join(dirname(main), path), 'utf8')}\n}`,
  );
  if (joined.includes('@import')) {
    throw new Error(`${main}: an import that is not of the form @import url("…") layer(…); on a line of its own`);
  }
  return joined
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
    .join('\n');
}

/** Writes a file whole or not at all, so that a running server never reads half of one. */
function write(path, content) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(`${path}.part`, content);
  renameSync(`${path}.part`, path);
}

/** Writes a file and its compressed forms, and returns the names of all. */
function publish(path, content) {
  const forms = COMPRESSIBLE.has(extname(path)) ? [path, `${path}.br`, `${path}.gz`] : [path];
  const same = forms.every((form) => existsSync(form)) && readFileSync(path).equals(content);
  if (!same) {
    if (forms.length > 1) {
      const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: content.length };
      write(`${path}.br`, brotliCompressSync(content, { params }));
      write(`${path}.gz`, gzipSync(content, { level: 9 }));
    }
    write(path, content);
  }
  return forms;
}

/** Every file below a folder. */
function filesBelow(folder) {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name));
}

const kept = new Set();
const manifest = {};

/** Publishes a file of the package under a name that changes with its content, so that it may be cached for ever. */
function publishHashed(role, extension, content) {
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 16);
  const name = `crossvat.${hash}.${extension}`;
  publish(join(pkg, name), content).forEach((path) => kept.add(path));
  manifest[role] = `/pkg/${name}`;
}

publishHashed('stylesheet', 'css', Buffer.from(joinStyles(join(root, 'style', 'main.css'))));
publishHashed('script', 'js', readFileSync(join(bound, 'crossvat.js')));
publishHashed('wasm', 'wasm', readFileSync(join(bound, 'crossvat.wasm')));

const publicFolder = join(root, 'public');
for (const path of filesBelow(publicFolder)) {
  publish(join(site, relative(publicFolder, path)), readFileSync(path)).forEach((form) => kept.add(form));
}

// The manifest comes after what it names, and what it no longer names goes last.
// Left alone when it is the same: a program with the site inside is built anew when it changes.
const manifestPath = join(site, 'manifest.json');
const manifestText = `${JSON.stringify(manifest, null, 2)}\n`;
if (!existsSync(manifestPath) || readFileSync(manifestPath, 'utf8') !== manifestText) {
  write(manifestPath, manifestText);
}
kept.add(manifestPath);
for (const path of filesBelow(site)) {
  if (!kept.has(path)) {
    rmSync(path);
  }
}

for (const address of Object.values(manifest)) {
  const path = join(site, address);
  const kilobytes = (form) => (statSync(form).size / 1000).toFixed(1);
  console.log(`site: ${basename(path)} ${kilobytes(path)} kB, ${kilobytes(`${path}.br`)} kB in brotli`);
}

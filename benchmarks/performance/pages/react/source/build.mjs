// Bundles main.jsx and style.css into ../index.html, one file that needs no network.
import { readFileSync, writeFileSync } from "node:fs";
import { build } from "esbuild";

const result = await build({
  entryPoints: ["main.jsx"],
  bundle: true,
  minify: true,
  write: false,
  jsx: "automatic",
  legalComments: "inline",
  define: { "process.env.NODE_ENV": '"production"' },
});
const script = result.outputFiles[0].text.replaceAll("</script", "<\\/script");
const style = readFileSync("style.css", "utf8");
const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Week of meals</title>
<style>
${style}</style>
</head>
<body>
<div id="root"></div>
<script>
${script}</script>
</body>
</html>
`;
writeFileSync("../index.html", page);

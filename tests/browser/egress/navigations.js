// Where a page can send its visitor, from frames and windows of its own.
const submit = (method) => (url) =>
  frame(`<form action="${url}" method="${method}"><input name="x" value="1"></form>
    <script>document.forms[0].submit()<\/script>`)
const click = (attributes) => (url) =>
  frame(`<a ${attributes.replaceAll('URL', url)}>x</a><script>document.links[0].click()<\/script>`)

everywhere('form-post', submit('post'))
somewhere('form-get', submit('get'))
somewhere('meta-refresh', (url) => frame(`<meta http-equiv="refresh" content="0; url=${url}">`))
somewhere('frame-location', (url) => frame(`<script>location = '${url}'<\/script>`))
somewhere('ping', click('ping="URL" href="#here"'))
somewhere('download', click('download href="URL"'))
somewhere('link-blank', click('target="_blank" href="URL"'))
somewhere('form-blank', (url) => {
  add('form', {action: url, method: 'post', target: '_blank'}).submit()
})
somewhere('popup', (url) => { window.open(url) })
somewhere('popup-location', (url) => { window.open('about:blank').location = url })

// Pages of the browser and files of the machine.
for (const url of targets.forbidden) {
  add('iframe', {src: url})
  click('target="_blank" href="URL"')(url)
  try { window.open(url) } catch {}
}

allTried()

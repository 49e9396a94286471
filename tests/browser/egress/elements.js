// What elements, styles and hints to the browser ask for.
const svg = (inner) => { add('div', {innerHTML: `<svg width="9" height="9">${inner}</svg>`}) }
const style = (text) => { document.head.append(
  Object.assign(document.createElement('style'), {textContent: text})) }
const link = (rel, more) => (href) => { document.head.append(
  Object.assign(document.createElement('link'), {rel, href, ...more})) }
const speculate = (kind) => (url) => { document.head.append(
  Object.assign(document.createElement('script'), {
    type: 'speculationrules',
    textContent: JSON.stringify({[kind]: [{urls: [url], eagerness: 'immediate'}]}),
  })) }

everywhere('image', (src) => { new Image().src = src })
everywhere('input-image', (src) => { add('input', {type: 'image', src}) })
everywhere('script', (src) => { add('script', {src}) })
everywhere('module-script', (src) => { add('script', {src, type: 'module'}) })
everywhere('video', (src) => { add('video', {src, preload: 'auto'}) })
everywhere('poster', (poster) => { add('video', {poster}) })
everywhere('audio', (src) => { add('audio', {src, preload: 'auto'}) })
everywhere('svg-image', (url) => { svg(`<image href="${url}" width="9" height="9"/>`) })
somewhere('iframe', (src) => { add('iframe', {src}) })
somewhere('object', (data) => { add('object', {data}) })
somewhere('embed', (src) => { add('embed', {src}) })
somewhere('background-attribute', (url) => frame(`<body background="${url}">`))
somewhere('data-frame', (url) => { add('iframe', {src: `data:text/html,<img src="${url}">`}) })

everywhere('stylesheet', link('stylesheet'))
everywhere('css-import', (url) => style(`@import url(${url});`))
everywhere('css-url', (url) => { add('p', {textContent: 'x', style: `background: url(${url})`}) })
everywhere('css-font', (url, host) => {
  const family = `far${targets.hosts.indexOf(host)}`
  style(`@font-face { font-family: ${family}; src: url(${url}) }`)
  add('p', {textContent: 'x', style: `font-family: ${family}`})
})

everywhere('speculation-prefetch', speculate('prefetch'))
everywhere('speculation-prerender', speculate('prerender'))
everywhere('preconnect', link('preconnect'))
everywhere('dns-prefetch', link('dns-prefetch'))
everywhere('prefetch', link('prefetch'))
everywhere('preload', link('preload', {as: 'script'}))
everywhere('modulepreload', link('modulepreload'))
everywhere('prerender', link('prerender'))
everywhere('icon', link('icon'))
everywhere('manifest', link('manifest'))

allTried()

// What a script can ask for, in the page and in workers.
everywhere('fetch', (url) => fetch(url))
everywhere('fetch-no-cors', (url) => fetch(url, {method: 'POST', body: 'x', mode: 'no-cors'}))
everywhere('fetch-https', (url) => fetch(url), 'https')
everywhere('xhr', (url) => {
  const request = new XMLHttpRequest()
  request.open('GET', url)
  request.send()
})
everywhere('beacon', (url) => { navigator.sendBeacon(url, 'x') })
everywhere('event-source', (url) => { new EventSource(url) })
everywhere('websocket', (url) => { new WebSocket(url) }, 'ws')
everywhere('import', (url) => import(url))
everywhere('audio-worklet', (url) => new AudioContext().audioWorklet.addModule(url))
everywhere('font-face', (url) => new FontFace('Far', `url(${url})`).load())

const total = {label: 'x', amount: {currency: 'USD', value: '1'}}
somewhere('payment', (url) =>
  new PaymentRequest([{supportedMethods: url}], {total}).canMakePayment(), 'https')
somewhere('sign-in', (configURL) => {
  navigator.credentials.get({identity: {providers: [{configURL, clientId: 'x'}]}}).catch(() => {})
})

// Only a proxy could answer for a name of the world outside.
keep(fetch('http://outside.test/', {mode: 'no-cors'}))

new Worker('worker.js')
new SharedWorker('shared_worker.js')
everywhere('worker-module', (url) => {
  const text = new Blob([`import '${url}'`], {type: 'text/javascript'})
  new Worker(URL.createObjectURL(text), {type: 'module'})
})
keep(navigator.serviceWorker.register('service_worker_importing.js', {scope: '/none/'}))
keep(navigator.serviceWorker.register('service_worker.js')
  .then(() => navigator.serviceWorker.ready)
  .then(() => {
    for (const host of targets.hosts) add('iframe', {src: `/made-up?host=${host}`})
  }))

const leaving = add('iframe', {src: 'leaving.html'})
leaving.onload = () => leaving.remove()

allTried()

// A service worker answers with headers that the server would never send.
importScripts('targets.js', 'try.js')
addEventListener('install', () => { skipWaiting() })
addEventListener('activate', (event) => {
  event.waitUntil(clients.claim())
  fromWorker('service-worker')
})
addEventListener('fetch', (event) => {
  const {pathname, searchParams} = new URL(event.request.url)
  if (pathname !== '/made-up') return
  const host = searchParams.get('host')
  const headers = {
    'Content-Type': 'text/html',
    'Content-Security-Policy': `img-src 'none'; report-uri ${address('csp-report', host)}`,
    'Link': `<${address('link-header', host)}>; rel=preload; as=script`,
    'Refresh': `0; url=${address('refresh-header', host)}`,
  }
  event.respondWith(new Response('<img src="/blocked.png">', {headers}))
})

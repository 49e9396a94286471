// Connections between browsers, and datagrams.
const gather = async (server) => {
  const connection = new RTCPeerConnection({
    iceServers: [{urls: server, username: 'x', credential: 'x'}],
  })
  connection.createDataChannel('x')
  await connection.setLocalDescription()
}

/** Connect to an address as if another browser had offered it. */
const connectTo = async (protocol, host, port) => {
  const [here, there] = [new RTCPeerConnection(), new RTCPeerConnection()]
  here.createDataChannel('x')
  await here.setLocalDescription()
  await there.setRemoteDescription(here.localDescription)
  await there.setLocalDescription()
  await here.setRemoteDescription(there.localDescription)
  const kind = protocol === 'tcp' ? 'host tcptype passive' : 'host'
  const ip = host.replace(/^\[|\]$/g, '')
  const candidate = `candidate:1 1 ${protocol} 2130706431 ${ip} ${port} typ ${kind}`
  await here.addIceCandidate({candidate, sdpMid: '0'})
}

const {ports} = targets
everywhere('stun', (url, host) => gather(`stun:${host}:${ports.stun}`))
everywhere('turn-udp', (url, host) => gather(`turn:${host}:${ports['turn-udp']}?transport=udp`))
everywhere('turn-tcp', (url, host) => gather(`turn:${host}:${ports['turn-tcp']}?transport=tcp`))
everywhere('turn-tls', (url, host) => gather(`turns:${host}:${ports['turn-tls']}?transport=tcp`))
everywhere('peer-udp', (url, host) => connectTo('udp', host, ports['peer-udp']))
everywhere('peer-tcp', (url, host) => connectTo('tcp', host, ports['peer-tcp']))
keep(connectTo('udp', targets.multicastName, 5000))
everywhere('web-transport', async (url) => {
  const certificate = {algorithm: 'sha-256', value: new Uint8Array(32)}
  const transport = new WebTransport(url, {serverCertificateHashes: [certificate]})
  transport.closed.catch(() => {})
  await transport.ready
}, 'https')

allTried()

import { type AddressInfo, connect, Server, type Socket } from 'node:net'

/** The kernel holds one connection more than the length of its queue. */
const QUEUE = 16
/** A queue of this length is full with two connections in it. */
const SHORTEST = 1
const MOST_LEFT = 2
const MOST_ATTEMPTS = 20
const ATTEMPT_MS = 100

type SetQueue = (length: number) => unknown

/**
 * Closes the port of a server and breaks no connection. The kernel resets the connections that are in the queue of a port at that
 * moment, and a balancer cannot send a POST a second time. So our own connections fill the queue first. While it is full, the
 * kernel ignores others: they try again after a second and are refused, which a balancer passes to another server. Those in the
 * queue are accepted meanwhile, until only our own are left.
 */
export async function closePort(server: Server): Promise<void> {
  const setQueue = queueOf(server)
  if (setQueue) await closeAmongOwn(server, setQueue)
  if (server.listening) Server.prototype.close.call(server)
}

async function closeAmongOwn(server: Server, setQueue: SetQueue) {
  for (let attempt = 0; server.listening && attempt < MOST_ATTEMPTS; attempt += 1) await closeFull(server, setQueue)
}

/** An internal of Node. Without it, the port is closed in the ordinary way. */
function queueOf(server: Server): SetQueue | undefined {
  const handle: unknown = Reflect.get(server, '_handle')
  const listen: unknown = typeof handle === 'object' && handle ? Reflect.get(handle, 'listen') : undefined
  return typeof listen === 'function' ? (length) => Reflect.apply(listen, handle, [length]) : undefined
}

/** Fills the queue and closes the port once only our own connections are in it. The port stays open when others came between them. */
async function closeFull(server: Server, setQueue: SetQueue): Promise<void> {
  const over = Promise.withResolvers<void>()
  const taken: (number | undefined)[] = []
  setQueue(QUEUE)
  const fillers = Array.from({ length: QUEUE + MOST_LEFT }, () => connect(placeOf(server)).on('error', () => undefined))
  // Node opens each connection at its next tick, so this call comes after them.
  process.nextTick(() => setQueue(SHORTEST))
  const take = ({ remotePort }: Socket) => {
    taken.push(remotePort)
    if (taken.length < QUEUE + 1 - MOST_LEFT) return
    const left = fillers.filter(({ connecting, localPort }) => !connecting && !taken.includes(localPort))
    if (left.length === MOST_LEFT) Server.prototype.close.call(server)
    over.resolve()
  }
  server.on('connection', take)
  const timer = setTimeout(over.resolve, ATTEMPT_MS)
  await over.promise
  clearTimeout(timer)
  server.off('connection', take)
  for (const filler of fillers) filler.destroy()
}

/** The address of the server from this machine. */
function placeOf(server: Server): { host: string; port: number } {
  const { address, port } = addressOf(server)
  const everywhere: Record<string, string> = { '0.0.0.0': '127.0.0.1', '::': '::1' }
  return { host: everywhere[address] ?? address, port }
}

function addressOf(server: Server): AddressInfo {
  const address = server.address()
  if (typeof address !== 'object' || !address) throw new Error('The server has no port.')
  return address
}

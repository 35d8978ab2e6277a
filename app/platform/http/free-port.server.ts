import { connect } from 'node:net'

/** Throws, as listening would, when another server accepts connections at this address. It only connects, so the port never opens too early. */
export async function refuseTakenPort(port: number, host: string): Promise<void> {
  const isTaken = await new Promise<boolean>((resolve) => {
    const socket = connect({ port, host: host === '0.0.0.0' || host === '::' ? 'localhost' : host })
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy()).setTimeout(1000, () => socket.destroy(new Error('No answer.')))
  })
  if (isTaken) throw Object.assign(new Error(`Port ${port} is taken.`), { code: 'EADDRINUSE' })
}

import { once } from 'node:events'
import { callbackify } from 'node:util'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer } from 'smtp-server'

/** Milliseconds before it responds to a step for an address. */
type Delays = { rcpt: (address: string) => number; data: (address: string) => number }

/** The server's response to the next emails: acceptance, or a refusal with this code, and with this text if it has one. */
export type MailServer = {
  url: string
  received: Email[]
  answer: 'take' | 450 | 550
  because?: string
  /** Refuses the content of the next emails with this code and text. */
  refusal?: { code: number; text: string } | undefined
  delays: Delays
  close: () => Promise<void>
}

/** A real mail server on this machine that stores accepted emails. */
export async function openMailServer(): Promise<MailServer> {
  const mail: MailServer = {
    url: '',
    received: [],
    answer: 'take',
    delays: { rcpt: () => 0, data: () => 0 },
    close: () => new Promise((resolve) => server.close(resolve)),
  }
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    onRcptTo({ address }, _session, done) {
      if (mail.answer === 'take') return void setTimeout(done, mail.delays.rcpt(address))
      done(Object.assign(new Error(mail.because ?? `<${address}> is not wanted here`), { responseCode: mail.answer }))
    },
    onData(stream, { envelope }, done) {
      const wait = mail.delays.data(envelope.rcptTo[0]?.address ?? '')
      const { refusal } = mail
      if (refusal) {
        stream.resume()
        return void stream.on('end', () => done(Object.assign(new Error(refusal.text), { responseCode: refusal.code })))
      }
      keepEmail(stream, mail.received, (error) => setTimeout(done, wait, error))
    },
  })
  // A sender that dies in the middle of an email is not an error of the server.
  server.on('error', () => undefined)
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  const address = server.server.address()
  if (address && typeof address === 'object') mail.url = `smtp://127.0.0.1:${address.port}`
  return mail
}

const keepEmail = callbackify(async (stream: AsyncIterable<Uint8Array>, received: Email[]) => {
  const parts = await Array.fromAsync(stream)
  received.push(await PostalMime.parse(Buffer.concat(parts)))
})

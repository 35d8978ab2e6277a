import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { z } from 'zod'

const message = z.object({ sms: z.object({ otp: z.string(), phone: z.string() }) })

/** An SMS service and a captcha service that accept everything. Returns the last code of a number. */
export async function startOutside() {
  const codes = new Map<string, string>()
  const hear = async (request: IncomingMessage, response: ServerResponse) => {
    const asked = await text(request)
    if (request.url === '/captcha') return void response.end('{"success":true}')
    const { sms } = message.parse(JSON.parse(asked))
    codes.set(sms.phone, sms.otp)
    response.end()
  }
  const server = createServer((request, response) => void hear(request, response))
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const base = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
  return { base, codeFor: (phone: string) => codes.get(phone) ?? '', close: () => void server.close() }
}

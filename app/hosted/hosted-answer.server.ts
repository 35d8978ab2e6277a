import { z } from 'zod'
import { refusalOf } from '#app/identity/refusal.ts'
import type { SessionTokens } from '#app/platform/session-cookie.server.ts'
import { stop } from '#app/platform/stop.ts'
import type { Client } from '#app/session/client.ts'
import { admit, readOpened } from './admission.server.ts'
import type { Answer } from './project.server.ts'

const refusal = z.object({ code: z.string().catch('validation_failed'), message: z.string().min(1).max(500) })

const kinds: Record<number, 'badRequest' | 'forbidden' | 'unprocessable' | 'tooMany'> = {
  400: 'badRequest',
  401: 'badRequest',
  403: 'forbidden',
  404: 'badRequest',
  422: 'unprocessable',
  429: 'tooMany',
}

/** Stops with the service's own words where it refuses. */
export function settle({ status, body }: Answer): void {
  if (status < 400) return
  const said = refusal.safeParse(body)
  const kind = kinds[status]
  if (!kind || !said.success) throw refusalOf('unexpected_failure')
  stop(kind, said.data.message, { code: said.data.code })
}

/** The tokens of a session that was opened; nothing where the answer holds none. */
export async function tokensOf(answer: Answer, client: Client): Promise<SessionTokens | undefined> {
  settle(answer)
  const opened = readOpened(answer.body)
  if (!opened) return undefined
  await admit(opened, client)
  return { access: opened.access_token, refresh: opened.refresh_token }
}

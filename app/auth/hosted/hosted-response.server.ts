import { z } from 'zod'
import { refusalOf } from '#app/auth/protocol/refusal.ts'
import { stop } from '#app/platform/errors/stop.ts'
import type { ProjectResponse } from './project.server.ts'

const refusal = z.object({ code: z.string().catch('validation_failed'), message: z.string().min(1).max(500) })

const kinds: Record<number, 'badRequest' | 'forbidden' | 'unprocessable' | 'tooMany'> = {
  400: 'badRequest',
  401: 'badRequest',
  403: 'forbidden',
  404: 'badRequest',
  422: 'unprocessable',
  429: 'tooMany',
}

/** Throws the service's own error if it refused. */
export function settle({ status, body }: ProjectResponse): void {
  if (status < 400) return
  const said = refusal.safeParse(body)
  const kind = kinds[status]
  if (!kind || !said.success) throw refusalOf('unexpected_failure')
  stop(kind, said.data.message, { code: said.data.code })
}

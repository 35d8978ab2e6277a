import { refuseRule } from '#app/redirect-engine/rule-check.server.ts'
import { stop } from '#app/platform/stop.ts'
import type { RedirectBody } from './redirect.ts'

/** Stops with what the engine cannot work with. */
export function refuseFields(body: RedirectBody): void {
  const errors = refuseRule({ id: '', ...body })
  const [sentence] = Object.values(errors)
  if (sentence !== undefined) stop('unprocessable', sentence, { code: 'validation_failed', errors })
}

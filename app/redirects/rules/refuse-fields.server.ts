import { refuseRule } from '#app/redirects/engine/rule-check.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import type { RedirectBody } from './redirect.ts'

/** Stops when the engine cannot use the rule. */
export function refuseFields(body: RedirectBody): void {
  const errors = refuseRule({ id: '', ...body })
  const [sentence] = Object.values(errors)
  if (sentence !== undefined) stop('unprocessable', sentence, { code: 'validation_failed', errors })
}

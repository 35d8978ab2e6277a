import { durationText } from '#app/platform/time/duration.ts'
import { env } from '#app/platform/env.server.ts'

/** A code is short enough to be guessed, so it expires sooner than a link. */
const MOST_CODE_SECONDS = 600

/** How long the link and the code of an email work. */
export const lifeSeconds = { link: env.MAILER_OTP_EXP, code: Math.min(MOST_CODE_SECONDS, env.MAILER_OTP_EXP) }

/** The same as text for emails and pages. */
export const lifeWords = { link: durationText(lifeSeconds.link), code: durationText(lifeSeconds.code) }

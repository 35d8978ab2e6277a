import { defineEmail, type Email, type EmailText } from '#app/mail/email.server.ts'
import { Code, FinePrint, Paragraph } from '#app/mail/layout.tsx'
import { lifeSeconds, lifeWords } from './token-life.server.ts'

type Secret = { link: string; code: string }

/** The part that an email shows. The code is missing when it has expired before the email could be sent. */
type Shown = { link: string; code?: string | undefined }

/** Defines an email with a link and a code. It is not sent after its link has expired, and without its code once that has. */
export function defineSecretEmail<Rest extends object = object>(
  kind: string,
  write: (data: Rest & Shown) => EmailText,
): (to: string, data: Rest & Secret) => Email {
  const email = defineEmail<Rest & Secret & { codeUntil?: string }>(
    kind,
    (stored) => write(isOver(stored.codeUntil) ? { ...stored, code: undefined } : stored),
    { secret: true, expiresAt: () => secondsFromNow(lifeSeconds.link) },
  )
  return (to, data) => email(to, { ...data, codeUntil: secondsFromNow(lifeSeconds.code).toISOString() })
}

const isOver = (until: string | undefined) => until !== undefined && Date.parse(until) <= Date.now()

export function secondsFromNow(seconds: number): Date {
  return new Date(Date.now() + seconds * 1000)
}

/** Follows an email's link: the equivalent code, how long both work, and a note. */
export function Secrets({ code, children }: { code: string | undefined; children?: string }) {
  if (code === undefined) {
    return (
      <FinePrint>
        The link works once, within {lifeWords.link}.{children && ` ${children}`}
      </FinePrint>
    )
  }
  return (
    <>
      <Paragraph>If you are asked for a code, enter:</Paragraph>
      <Code>{code}</Code>
      <FinePrint>
        The link works once, within {lifeWords.link}. The code works for {lifeWords.code}.{children && ` ${children}`}
      </FinePrint>
    </>
  )
}

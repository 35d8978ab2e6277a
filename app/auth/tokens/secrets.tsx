import { Code, FinePrint, Paragraph } from '#app/mail/layout.tsx'
import { lifeWords } from './token-life.server.ts'

/** Follows an email's link: the equivalent code, how long both work, and a note. */
export function Secrets({ code, children }: { code: string; children?: string }) {
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

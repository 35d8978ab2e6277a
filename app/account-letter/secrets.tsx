import { Code, FinePrint, Paragraph } from '#app/mail/layout.tsx'
import { lifeWords } from '#app/one-time-token/token-life.server.ts'

/** Below a letter's link: the code that does the same, how long both work, and what else is to be known of them. */
export function Secrets({ code, children }: { code: string; children?: string }) {
  return (
    <>
      <Paragraph>Where a code is asked for, it is:</Paragraph>
      <Code>{code}</Code>
      <FinePrint>
        The link works once and for {lifeWords.link}, the code for {lifeWords.code}.{children && ` ${children}`}
      </FinePrint>
    </>
  )
}

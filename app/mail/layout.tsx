import { type CSSProperties, Fragment, type ReactNode } from 'react'
import { Body, Button, Container, Head, Html, Link, Preview, Section, Text } from 'react-email'
import { darkStyles, mark, paint, emailText } from './look.ts'

export type EmailSender = { name: string; tagline: string; siteUrl: string; email: string }

/** The layout of every email: site name, content card, sender. */
export function EmailSheet({
  subject,
  preview,
  sender,
  children,
}: {
  subject: string
  preview: string
  sender: EmailSender
  children: ReactNode
}) {
  return (
    <Html>
      <Head>
        <meta name="viewport" content="width=device-width" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <title>{subject}</title>
        <style>{darkStyles}</style>
      </Head>
      <Body className="paper" style={{ ...paint.paper, margin: 0, padding: '32px 12px' }}>
        <Preview useTitleTag={false}>{preview}</Preview>
        <Container style={{ maxWidth: '600px', width: '100%' }}>
          <Masthead sender={sender} />
          <Section className="card" tdClassName="inside" style={{ ...paint.card, borderRadius: '10px', padding: '40px 40px 28px' }}>
            {children}
          </Section>
          <Imprint sender={sender} />
        </Container>
      </Body>
    </Html>
  )
}

/** The layout of an email that a person wrote: as if it came from their mail program. */
export function PersonalSheet({ subject, children }: { subject: string; children: ReactNode }) {
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <title>{subject}</title>
      </head>
      <body style={{ fontFamily: 'system-ui, -apple-system, Segoe UI, Roboto, Arial, sans-serif', fontSize: '15px', lineHeight: 1.5 }}>
        {children}
      </body>
    </html>
  )
}

function Masthead({ sender }: { sender: EmailSender }) {
  return (
    <Section data-skip-in-text style={{ padding: '0 0 20px' }}>
      <Link href={sender.siteUrl} className="ink" style={{ ...emailText.name, ...paint.ink, textDecoration: 'none' }}>
        <Mark />
        {sender.name}
      </Link>
    </Section>
  )
}

/** The site's mark as table rows, because mail programs block images. */
function Mark() {
  return (
    <span style={mark.frame} aria-hidden="true">
      <span className="bar" style={{ ...mark.bar, ...paint.bar }} />
      <span className="kept" style={{ ...mark.bar, ...paint.grain }} />
      <span className="bar" style={{ ...mark.bar, ...paint.bar, marginBottom: 0 }} />
    </span>
  )
}

function Imprint({ sender }: { sender: EmailSender }) {
  return (
    <Section style={{ padding: '20px 0 0' }}>
      <Text className="muted" style={{ ...emailText.fine, ...paint.muted, margin: '0' }}>
        {sender.name}. {sender.tagline}
        <br />
        <TextLink href={sender.siteUrl}>{sender.siteUrl}</TextLink>
        {' · '}
        <TextLink href={`mailto:${sender.email}`}>{sender.email}</TextLink>
      </Text>
    </Section>
  )
}

export function EmailHeading({ children }: { children: ReactNode }) {
  return (
    <h1 className="ink" style={{ ...emailText.heading, ...paint.ink, margin: '0 0 16px' }}>
      {children}
    </h1>
  )
}

export function Paragraph({ children }: { children: ReactNode }) {
  return (
    <Text className="ink" style={{ ...emailText.body, ...paint.ink, margin: '0 0 16px' }}>
      {children}
    </Text>
  )
}

/** The call to action; one per email. */
export function Action({ href, children }: { href: string; children: ReactNode }) {
  return (
    <Section style={{ padding: '8px 0 24px' }}>
      <Button href={href} className="action" style={{ ...emailText.action, ...paint.grain, borderRadius: '6px', padding: '15px 24px' }}>
        {children}
      </Button>
    </Section>
  )
}

export function TextLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <Link href={href} className="link" style={{ ...paint.link, textDecoration: 'underline', textUnderlineOffset: '3px' }}>
      {children}
    </Link>
  )
}

type FactsProps = {
  rows: [label: string, value: ReactNode][]
  /** Values are data unless they are sentences. */
  kind?: 'data' | 'sentences'
}

/** Label and value pairs; rows with an empty value are omitted. */
export function Facts({ rows, kind = 'data' }: FactsProps) {
  const cell: CSSProperties = { padding: '10px 0', verticalAlign: 'top', textAlign: 'left' }
  return (
    <table
      data-text-format="facts"
      className="line"
      cellPadding={0}
      cellSpacing={0}
      style={{ ...paint.line, width: '100%', borderCollapse: 'collapse', margin: '8px 0 24px' }}
    >
      <tbody>
        {rows
          .filter(([, value]) => value !== null && value !== undefined && value !== '')
          .map(([label, value]) => (
            <tr key={label} className="line" style={paint.line}>
              <th scope="row" className="muted" style={{ ...cell, ...emailText.label, ...paint.muted, width: '36%', paddingRight: '16px' }}>
                {label}
              </th>
              <td className="ink" style={{ ...cell, ...emailText[kind], ...paint.ink }}>
                {value}
              </td>
            </tr>
          ))}
      </tbody>
    </table>
  )
}

/** Text that a person wrote, with its line breaks. */
export function Quote({ children }: { children: string }) {
  return (
    <blockquote className="quote" style={{ ...paint.quote, padding: '4px 0 4px 16px', margin: '0 0 24px' }}>
      <Text className="ink" style={{ ...emailText.body, ...paint.ink, overflowWrap: 'anywhere', margin: '0' }}>
        {children.split(/\r?\n/).map((line, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- the lines of an email never move
          <Fragment key={index}>
            {index > 0 && <br />}
            {line}
          </Fragment>
        ))}
      </Text>
    </blockquote>
  )
}

/** Text to type elsewhere, such as a one-time code. */
export function Code({ children }: { children: string }) {
  return (
    <Text className="ink" style={{ ...emailText.code, ...paint.ink, margin: '0 0 24px' }}>
      {children}
    </Text>
  )
}

/** Secondary information in small print. */
export function FinePrint({ children }: { children: ReactNode }) {
  return (
    <Text className="muted" style={{ ...emailText.fine, ...paint.muted, margin: '0 0 8px' }}>
      {children}
    </Text>
  )
}

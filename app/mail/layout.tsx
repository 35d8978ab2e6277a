import { type CSSProperties, Fragment, type ReactNode } from 'react'
import { MailBody, MailButton, MailColumn, MailDocument, MailLink, MailPreview, MailSection, MailText } from './elements.tsx'
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
    <MailDocument subject={subject} styles={darkStyles}>
      <MailBody className="paper" style={{ ...paint.paper, margin: 0, padding: '32px 12px' }}>
        <MailPreview>{preview}</MailPreview>
        <MailColumn width="600px">
          <Masthead sender={sender} />
          <MailSection className="card" cellName="inside" style={{ ...paint.card, borderRadius: '10px', padding: '40px 40px 28px' }}>
            {children}
          </MailSection>
          <Imprint sender={sender} />
        </MailColumn>
      </MailBody>
    </MailDocument>
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
    <MailSection isSkippedInText style={{ padding: '0 0 20px' }}>
      <MailLink href={sender.siteUrl} className="ink" style={{ ...emailText.name, ...paint.ink, textDecoration: 'none' }}>
        <Mark />
        {sender.name}
      </MailLink>
    </MailSection>
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
    <MailSection style={{ padding: '20px 0 0' }}>
      <MailText className="muted" style={{ ...emailText.fine, ...paint.muted }} margin={['0', '0', '0', '0']}>
        {sender.name}. {sender.tagline}
        <br />
        <TextLink href={sender.siteUrl}>{sender.siteUrl}</TextLink>
        {' · '}
        <TextLink href={`mailto:${sender.email}`}>{sender.email}</TextLink>
      </MailText>
    </MailSection>
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
    <MailText className="ink" style={{ ...emailText.body, ...paint.ink }} margin={['0', '0', '16px', '0']}>
      {children}
    </MailText>
  )
}

/** The call to action; one per email. */
export function Action({ href, children }: { href: string; children: ReactNode }) {
  return (
    <MailSection style={{ padding: '8px 0 24px' }}>
      <MailButton
        href={href}
        className="action"
        style={{ ...emailText.action, ...paint.grain, borderRadius: '6px' }}
        padding={{ block: 15, inline: 24 }}
      >
        {children}
      </MailButton>
    </MailSection>
  )
}

export function TextLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <MailLink href={href} className="link" style={{ ...paint.link, textDecoration: 'underline', textUnderlineOffset: '3px' }}>
      {children}
    </MailLink>
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
      <MailText className="ink" style={{ ...emailText.body, ...paint.ink, overflowWrap: 'anywhere' }} margin={['0', '0', '0', '0']}>
        {children.split(/\r?\n/).map((line, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- the lines of an email never move
          <Fragment key={index}>
            {index > 0 && <br />}
            {line}
          </Fragment>
        ))}
      </MailText>
    </blockquote>
  )
}

/** Text to type elsewhere, such as a one-time code. */
export function Code({ children }: { children: string }) {
  return (
    <MailText className="ink" style={{ ...emailText.code, ...paint.ink }} margin={['0', '0', '24px', '0']}>
      {children}
    </MailText>
  )
}

/** Secondary information in small print. */
export function FinePrint({ children }: { children: ReactNode }) {
  return (
    <MailText className="muted" style={{ ...emailText.fine, ...paint.muted }} margin={['0', '0', '8px', '0']}>
      {children}
    </MailText>
  )
}

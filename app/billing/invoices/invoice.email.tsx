import { defineEmail, type EmailFile } from '#app/mail/email.server.ts'
import { Action, EmailHeading, Facts, FinePrint, Paragraph } from '#app/mail/layout.tsx'

type Sent = {
  language: string
  title: string
  number: string
  amount: string
  /** The day, written out; null where nothing is to be paid. */
  due: string | null
  order: string
  link: string
  isProposal: boolean
  files: EmailFile[]
}

const words = {
  en: {
    intro: (title: string) => `The ${title.toLowerCase()} is attached as a PDF file.`,
    forPrograms: 'The XML file contains the same data for accounting software.',
    number: 'Number',
    order: 'Order',
    amount: 'Amount',
    due: 'Payable until',
    open: 'See your invoices',
    proposal: 'Open the proposal',
    why: 'This address gets the invoices of your organization.',
  },
  de: {
    intro: (title: string) => `${title} anbei als PDF-Datei.`,
    forPrograms: 'Die XML-Datei enthält dasselbe für Buchhaltungsprogramme.',
    number: 'Nummer',
    order: 'Bestellung',
    amount: 'Betrag',
    due: 'Zahlbar bis',
    open: 'Rechnungen ansehen',
    proposal: 'Angebot öffnen',
    why: 'Diese Adresse erhält die Rechnungen Ihrer Organisation.',
  },
}

/** The invoice itself, to the billing addresses of its buyer. */
export const invoiceEmail = defineEmail<Sent>('invoice', ({ language, title, number, amount, due, order, link, isProposal, files }) => {
  const told = language === 'de' ? words.de : words.en
  return {
    subject: `${title} ${number}`,
    preview: `${told.amount}: ${amount}`,
    body: (
      <>
        <EmailHeading>
          {title} {number}
        </EmailHeading>
        <Paragraph>
          {told.intro(title)}
          {files.some(({ type }) => type === 'application/xml') && ` ${told.forPrograms}`}
        </Paragraph>
        <Facts
          rows={[
            [told.number, number],
            [told.order, order],
            [told.amount, amount],
            [told.due, due],
          ]}
        />
        <Action href={link}>{isProposal ? told.proposal : told.open}</Action>
        <FinePrint>{told.why}</FinePrint>
      </>
    ),
    files,
  }
})

import { defineEmail } from '#app/mail/email.server.ts'
import { Action, EmailHeading, Facts, FinePrint, Paragraph } from '#app/mail/layout.tsx'

/** Amounts and days are written out; an empty text is left out. */
type Reminded = {
  language: string
  step: number
  number: string
  owed: string
  due: string
  account: { name: string; iban: string; bic: string } | null
  fee: string
  interest: string
  rate: string
  link: string
}

const words = {
  en: {
    titles: (number: string) => [`Reminder: invoice ${number}`, `Second reminder: invoice ${number}`, `Last reminder: invoice ${number}`],
    asks: (owed: string, due: string) => [
      `This invoice was due on ${due}, and ${owed} of it is not paid yet. Perhaps it was overlooked. Please transfer the amount in the next days.`,
      `This invoice was due on ${due}, and ${owed} of it is still not paid. Please transfer the amount within a week.`,
      `This invoice was due on ${due}, and ${owed} of it is still not paid after two reminders. Please transfer the amount now, or reply to this email if there is a reason.`,
    ],
    fee: (fee: string) => `The second reminder costs ${fee}. Its invoice comes in an email of its own.`,
    interest: (interest: string, rate: string) =>
      `At ${rate}% a year, the interest since that day comes to ${interest}. It is not part of the amount below.`,
    invoice: 'Invoice',
    owed: 'Amount owed',
    due: 'Was due on',
    recipient: 'Recipient',
    reference: 'Reference of the transfer',
    open: 'Pay this invoice',
    crossed: 'If you have paid in the last days, there is nothing left to do: it takes a day or two until a transfer arrives.',
    wrong: 'Is something wrong with the invoice? Reply to this email.',
  },
  de: {
    titles: (number: string) => [
      `Zahlungserinnerung: Rechnung ${number}`,
      `Zweite Mahnung: Rechnung ${number}`,
      `Letzte Mahnung: Rechnung ${number}`,
    ],
    asks: (owed: string, due: string) => [
      `Diese Rechnung war am ${due} fällig, und ${owed} sind noch offen. Vielleicht wurde sie übersehen. Bitte überweisen Sie den Betrag in den nächsten Tagen.`,
      `Diese Rechnung war am ${due} fällig, und ${owed} sind immer noch offen. Bitte überweisen Sie den Betrag innerhalb einer Woche.`,
      `Diese Rechnung war am ${due} fällig, und nach zwei Mahnungen sind ${owed} immer noch offen. Bitte überweisen Sie den Betrag jetzt, oder antworten Sie auf diese E-Mail, wenn es einen Grund gibt.`,
    ],
    fee: (fee: string) => `Die zweite Mahnung kostet ${fee}. Ihre Rechnung kommt in einer eigenen E-Mail.`,
    interest: (interest: string, rate: string) =>
      `Die Zinsen seit diesem Tag betragen bei ${rate.replace('.', ',')} % im Jahr ${interest}. Sie sind im Betrag unten nicht enthalten.`,
    invoice: 'Rechnung',
    owed: 'Offener Betrag',
    due: 'War fällig am',
    recipient: 'Empfänger',
    reference: 'Verwendungszweck',
    open: 'Rechnung bezahlen',
    crossed: 'Wenn Sie in den letzten Tagen bezahlt haben, ist nichts mehr zu tun: Eine Überweisung braucht ein bis zwei Tage.',
    wrong: 'Stimmt etwas an der Rechnung nicht? Antworten Sie auf diese E-Mail.',
  },
}

/** An invoice that is not paid in time, to the billing addresses of its buyer. */
export const reminderEmail = defineEmail<Reminded>('payment-reminder', (reminded) => {
  const { language, step, number, owed, due, account, fee, interest, rate, link } = reminded
  const told = language === 'de' ? words.de : words.en
  const title = told.titles(number)[step - 1] ?? number
  return {
    subject: title,
    preview: `${told.owed}: ${owed}`,
    body: (
      <>
        <EmailHeading>{title}</EmailHeading>
        <Paragraph>{told.asks(owed, due)[step - 1]}</Paragraph>
        {fee && <Paragraph>{told.fee(fee)}</Paragraph>}
        {interest && <Paragraph>{told.interest(interest, rate)}</Paragraph>}
        <Facts
          rows={[
            [told.invoice, number],
            [told.owed, owed],
            [told.due, due],
            [told.recipient, account?.name],
            ['IBAN', account?.iban],
            ['BIC', account?.bic],
            [told.reference, account && number],
          ]}
        />
        <Action href={link}>{told.open}</Action>
        <FinePrint>
          {told.crossed} {told.wrong}
        </FinePrint>
      </>
    ),
  }
})

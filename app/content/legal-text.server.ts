import { env } from '#app/platform/env.server.ts'
import { billing } from './billing.server.ts'
import { legalFigures, type LegalName } from './legal.ts'
import cookiePolicy from './legal/cookie-policy.md?raw'
import privacyPolicy from './legal/privacy-policy.md?raw'
import termsOfService from './legal/terms-of-service.md?raw'
import { WITHDRAWAL, WITHDRAWAL_DAYS } from './withdrawal.ts'

const texts: Record<LegalName, string> = {
  'privacy-policy': privacyPolicy,
  'terms-of-service': termsOfService,
  'cookie-policy': cookiePolicy,
}

/** The Markdown of a legal text with its placeholders filled in. */
export function legalMarkdown(name: LegalName): string {
  const figures = { ...legalFigures(), ...billingFigures() }
  return texts[name].replaceAll(/\{\{(\w+)\}\}/g, (_, key: string) => {
    const figure = figures[key]
    if (figure === undefined) throw new Error(`${name} asks for {{${key}}}, which has no value`)
    return figure
  })
}

/** Figures of payments and invoices, which come from settings of the server. */
function billingFigures(): Readonly<Record<string, string>> {
  return {
    paymentProvider: env.PAYMENTS.includes('stripe') ? 'Stripe' : 'its page says which',
    paymentDays: `${billing.paymentDays} days`,
    invoicesKept: `${billing.keepYears} years`,
    ...(env.SELL_TO === 'all' ? consumerTexts : { consumerTerms: '', consumerData: '' }),
  }
}

/** Private persons have rights that businesses do not have. */
const consumerTexts = {
  consumerTerms: `

**Private persons** can buy datasets of the marketplace as well, for their own use; sections 5 and 13 and the choice of law do not limit the rights that the law of their country gives them. They see prices with tax before they pay. They can withdraw from a purchase within ${WITHDRAWAL_DAYS} days, without a reason, at [${WITHDRAWAL}](${WITHDRAWAL}) or by any other clear statement; we then refund the payment within ${WITHDRAWAL_DAYS} days, the way they paid. The right ends earlier when they have agreed that the supply begins at once, knew that they lose the right by it, and have downloaded the data, queried it, paged through its rows or read it through the API.`,
  consumerData: ` If you buy as a private person: your consent to immediate supply with its text and time; and if you withdraw, your name, your address and the statement with its time. Both are kept as long as the invoice.`,
}

import { MARKETPLACE } from '#app/datasets/catalog/addresses.ts'
import { defineEmail } from '#app/mail/email.server.ts'
import { Action, EmailHeading, Paragraph, TextLink } from '#app/mail/layout.tsx'
import { env } from '#app/platform/env.server.ts'

type Ordered = { reference: string; title: string; slug: string; total: string }

/** The next period of a subscription: its first day, and what it costs. Without an amount it ends on that day. */
export type Renewal = { day: string; amount: string | undefined; every: 'month' | 'quarter' | 'year' }

/** To the buyer of a dataset, once it is paid. */
export const orderPaidEmail = defineEmail('order-paid', ({ reference, title, slug, total, renewal }: Ordered & { renewal?: Renewal }) => ({
  subject: `Paid: ${title} (${reference})`,
  preview: renewal?.amount ? `Your access starts now. It renews on ${renewal.day} for ${renewal.amount}.` : 'Your access starts now.',
  body: (
    <>
      <EmailHeading>
        {renewal ? 'You have subscribed to' : 'You have bought'} {title}
      </EmailHeading>
      <Paragraph>
        We received {total} for order {reference}. Your organization has access from now on: download the files, or read them through the
        API.
      </Paragraph>
      <Action href={`${env.SITE_URL}${MARKETPLACE}/${slug}`}>Open the dataset</Action>
      {renewal && <Renews {...renewal} />}
      <Paragraph>
        Your orders and invoices are under <TextLink href={`${env.SITE_URL}/account/billing`}>Billing</TextLink>.
      </Paragraph>
    </>
  ),
}))

function Renews({ day, amount, every }: Renewal) {
  const page = <TextLink href={`${env.SITE_URL}/account/billing#subscriptions`}>Billing</TextLink>
  if (!amount)
    return (
      <Paragraph>
        Your subscription ends on {day}. Nothing is charged. You can find it under {page}.
      </Paragraph>
    )
  return (
    <Paragraph>
      Your subscription renews on {day} for {amount}, and then every {every} until you cancel. We remind you a week before each renewal. You
      can cancel at any time under {page}, without contacting us.
    </Paragraph>
  )
}

/** To the buyer whose payment did not arrive. */
export const orderFailedEmail = defineEmail('order-failed', ({ reference, title, slug, failure }: Ordered & { failure: string }) => ({
  subject: `Not paid: ${title} (${reference})`,
  preview: 'Your order has ended.',
  body: (
    <>
      <EmailHeading>The payment for {title} failed</EmailHeading>
      <Paragraph>
        Order {reference} has ended. {failure} If money left your account all the same, reply to this email: we refund it.
      </Paragraph>
      <Action href={`${env.SITE_URL}${MARKETPLACE}/${slug}/buy`}>Order again</Action>
    </>
  ),
}))

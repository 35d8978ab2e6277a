import { MARKETPLACE } from '#app/datasets/catalog/addresses.ts'
import { defineEmail } from '#app/mail/email.server.ts'
import { Action, EmailHeading, Paragraph } from '#app/mail/layout.tsx'
import { env } from '#app/platform/env.server.ts'

type Ordered = { reference: string; title: string; slug: string; total: string }

/** To the buyer of a dataset, once it is paid. */
export const orderPaidEmail = defineEmail('order-paid', ({ reference, title, slug, total }: Ordered) => ({
  subject: `Paid: ${title} (${reference})`,
  preview: 'Your access starts now.',
  body: (
    <>
      <EmailHeading>You have bought {title}</EmailHeading>
      <Paragraph>
        We received {total} for order {reference}. Your organization has access from now on: download the files, or read them through the
        API.
      </Paragraph>
      <Action href={`${env.SITE_URL}${MARKETPLACE}/${slug}`}>Open the dataset</Action>
      <Paragraph>Your orders and invoices are at {env.SITE_URL}/account/billing.</Paragraph>
    </>
  ),
}))

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

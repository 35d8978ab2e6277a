import { Action, EmailHeading, FinePrint, Paragraph } from '#app/mail/layout.tsx'
import { defineEmail } from '#app/mail/email.server.ts'
import { env } from '#app/platform/env.server.ts'

/** Days and amounts are written out. */
type Told = { name: string }

const billingPage = `${env.SITE_URL}/account/billing#subscriptions`

/** A renewal that was not paid. The provider tries again; access stays until `until`. */
export const renewalFailedEmail = defineEmail(
  'subscription-failed',
  ({ name, amount, until }: Told & { amount: string; until: string }) => ({
    subject: `Payment failed for ${name}`,
    preview: `Your access stays until ${until}.`,
    body: (
      <>
        <EmailHeading>Payment failed for {name}</EmailHeading>
        <Paragraph>
          We could not charge {amount} for the next period of {name}. Your access stays until {until}, and we try again until then.
        </Paragraph>
        <Paragraph>Update your payment method to keep your access.</Paragraph>
        <Action href={billingPage}>Update payment method</Action>
        <FinePrint>
          If the payment arrives in time, nothing changes. After {until} the subscription ends, and nothing more is charged.
        </FinePrint>
      </>
    ),
  }),
)

/** The bank wants the customer to confirm a renewal. `url` is a page of the provider. */
export const confirmRenewalEmail = defineEmail('subscription-confirm', ({ name, amount, url }: Told & { amount: string; url: string }) => ({
  subject: `Confirm your payment for ${name}`,
  preview: `Your bank asks you to confirm ${amount}.`,
  body: (
    <>
      <EmailHeading>Confirm your payment for {name}</EmailHeading>
      <Paragraph>
        Your bank asks you to confirm the payment of {amount} for the next period of {name}. It takes a minute.
      </Paragraph>
      <Action href={url}>Confirm payment</Action>
    </>
  ),
}))

/** A week before a period is charged. */
export const renewalReminderEmail = defineEmail(
  'subscription-reminder',
  ({ name, amount, day }: Told & { amount: string; day: string }) => ({
    subject: `${name} renews on ${day}`,
    preview: `We will charge ${amount}.`,
    body: (
      <>
        <EmailHeading>
          {name} renews on {day}
        </EmailHeading>
        <Paragraph>
          We will charge {amount} to your payment method on {day}. You need to do nothing to continue.
        </Paragraph>
        <Action href={billingPage}>Manage subscription</Action>
        <FinePrint>You can cancel there at any time, without contacting us.</FinePrint>
      </>
    ),
  }),
)

/** At least 30 days before a new price is charged. */
export const priceChangeEmail = defineEmail(
  'subscription-price',
  ({ name, before, after, from }: Told & { before: string; after: string; from: string }) => ({
    subject: `New price for ${name} from ${from}`,
    preview: `It changes from ${before} to ${after}.`,
    body: (
      <>
        <EmailHeading>New price for {name}</EmailHeading>
        <Paragraph>
          The price of your subscription changes from {before} to {after}, before tax. The first renewal on or after {from} has the new
          price.
        </Paragraph>
        <Paragraph>
          If you do not want to continue, cancel before your next renewal. You keep your access until the end of the period.
        </Paragraph>
        <Action href={billingPage}>Manage subscription</Action>
      </>
    ),
  }),
)

/** A subscription that will end, because the customer cancelled it. */
export const cancelledEmail = defineEmail('subscription-cancelled', ({ name, until }: Told & { until: string }) => ({
  subject: `Your subscription to ${name} is cancelled`,
  preview: `Your access stays until ${until}.`,
  body: (
    <>
      <EmailHeading>Your subscription to {name} is cancelled</EmailHeading>
      <Paragraph>
        Your access stays until {until}. Nothing more is charged. Until then you can continue the subscription with one click.
      </Paragraph>
      <Action href={billingPage}>Manage subscription</Action>
    </>
  ),
}))

/** A subscription that has ended. */
export const endedEmail = defineEmail('subscription-ended', ({ name, reason }: Told & { reason: string }) => ({
  subject: `Your subscription to ${name} has ended`,
  preview: reason,
  body: (
    <>
      <EmailHeading>Your subscription to {name} has ended</EmailHeading>
      <Paragraph>{reason} Nothing more is charged.</Paragraph>
      <Action href={billingPage}>See your orders</Action>
    </>
  ),
}))

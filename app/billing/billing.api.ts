import { disputeApi, refundApi } from './refunds/refund.api.ts'
import { staffSubscriptionApi, subscriptionApi } from './subscriptions/subscription.api.ts'
import './invoices/retention.server.ts'
import './refunds/dispute.server.ts'
import './refunds/reconciliation.server.ts'
import './refunds/refund.server.ts'
import './subscriptions/apply-subscription.server.ts'
import './subscriptions/first-email.server.ts'
import './subscriptions/subscription-care.server.ts'
import type { Api } from '#app/platform/http/http.server.ts'
import { monthCloseApi, monthEndApi } from './month-end/month-end.api.ts'
import { billingFiguresApi } from './figures/figures.api.ts'
import { ownOrderApi } from './account/own-order.api.ts'
import { invoicesApi } from './invoices/invoices.api.ts'
import { paymentEventApi } from './payments/payment-event.api.ts'
import { transferActionApi, transferApi } from './transfers/transfer.api.ts'
import { billingActionApi, billingDeskApi } from './admin/desk.api.ts'
import { discountApi } from './admin/discount.api.ts'
import { testDataApi } from './admin/test-data.api.ts'
import { ownProposalApi } from './proposals/own-proposal.api.ts'
import { proposalApi } from './proposals/proposal.api.ts'
import { signedFileApi } from './proposals/signed-file.api.ts'
import { verifyFileApi } from './proposals/verify-file.api.ts'
import './proposals/tend.server.ts'
import './orders/dataset-order.server.ts'
import './payments/apply-checkout.server.ts'
import './payments/cancelled-invoice.server.ts'
import './payments/expire-orders.server.ts'
import './payments/test-checkout.server.ts'
import './transfers/reminder.server.ts'
import './transfers/statement-retention.server.ts'
import './withdrawals/contract.server.ts'
import './withdrawals/withdrawal.server.ts'
import './stripe/stripe-provider.server.ts'

/** Each part of billing registers here: its endpoints, jobs, providers, and what it does with paid orders. */
export const billingApi: Api = async (app) => {
  for (const api of [monthEndApi, monthCloseApi]) app.register(api)
  for (const api of [subscriptionApi, staffSubscriptionApi, disputeApi, refundApi]) app.register(api)
  for (const api of [invoicesApi, paymentEventApi, billingDeskApi, billingActionApi]) app.register(api)
  for (const api of [proposalApi, ownProposalApi, signedFileApi, verifyFileApi]) app.register(api)
  for (const api of [transferApi, transferActionApi, billingFiguresApi]) app.register(api)
  for (const api of [ownOrderApi, testDataApi, discountApi]) app.register(api)
}

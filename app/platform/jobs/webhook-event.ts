/** The events that other programs can be told of. Each has its label in the form of an endpoint. */
export const webhookEvents = {
  'lead.created': 'New lead',
  'lead.stage_changed': 'Lead moved to another stage',
  'lead.replied': 'Lead replied to',
  'booking.created': 'Call booked',
  'booking.moved': 'Call moved',
  'booking.cancelled': 'Call cancelled',
  'dataset.published': 'Dataset version published',
  'user.created': 'Account created',
  'order.paid': 'Order paid',
  'order.failed': 'Payment of an order failed',
  'order.refunded': 'Order refunded',
  'order.disputed': 'Payment of an order disputed',
  'invoice.issued': 'Invoice issued',
  'invoice.paid': 'Invoice paid',
  'invoice.overdue': 'Invoice overdue',
  'proposal.sent': 'Proposal sent',
  'proposal.accepted': 'Proposal accepted',
  'proposal.declined': 'Proposal declined',
  'proposal.expired': 'Proposal expired',
} as const

export type WebhookEvent = keyof typeof webhookEvents

export function isWebhookEvent(name: string): name is WebhookEvent {
  return name in webhookEvents
}

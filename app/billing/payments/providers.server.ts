import { env } from '#app/platform/env.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import type { PaymentProvider } from './provider.server.ts'

const providers = new Map<string, PaymentProvider>()

/** Each provider adds itself. */
export function addProvider(provider: PaymentProvider): void {
  providers.set(provider.name, provider)
}

/** The provider of a name, if this installation uses it. */
export function findProvider(name: string): PaymentProvider | undefined {
  return env.PAYMENTS.some((used) => used === name) ? providers.get(name) : undefined
}

/** The provider at which customers pay, if there is one. */
export function checkoutProvider(): PaymentProvider | undefined {
  return findProvider('stripe') ?? findProvider('test')
}

/** The provider at which customers pay. */
export function providerFor(): PaymentProvider {
  return checkoutProvider() ?? stop('conflict', 'Nothing can be paid online here. Please write to us.', { code: 'no_checkout' })
}

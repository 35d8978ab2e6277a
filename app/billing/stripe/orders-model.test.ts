import { afterAll, expect, test } from 'vitest'
import { byLength } from '#test/length.ts'
import { useSettings } from '#test/settings.ts'
import { StripeDouble } from '#test/stripe.ts'

const double = new StripeDouble()
await double.start()
afterAll(() => double.stop())
useSettings({ DATA_DIR: process.env['DATA_DIR'] ?? '', SITE_URL: 'http://localhost:3000', ...double.settings() })
// Only now: the settings are read once.
const { startEndpoints } = await import('#test/app.ts')
const { signIn } = await import('#test/factories.ts')
const { runModel } = await import('#test/billing-model.ts')
await startEndpoints()

test(
  'random orders: events come twice, shuffled and late, with refunds, disputes and renewals; the ledger is what happened, to the cent',
  { timeout: 3_600_000 },
  async () => {
    const { user } = await signIn()
    const seed = Number(process.env['SEED'] ?? 41)
    const report = await runModel(double, { orders: byLength(12, 10_000), seed, userId: user.id })
    expect(report.events).toBeGreaterThan(report.orders)
    const wrong = { cash: 0, access: 0, unbalanced: 0, lost: 0 }
    expect(report).toMatchObject({ accepted: 0, outside: 0, wrong })
  },
)

/** A watched shop. All are fictional; `.example` is a reserved domain. */
export type Shop = {
  name: string
  host: string
  country: string
  /** Its usual price as a share of the list price. */
  level: number
  /** How often it starts a promotion of a product, as a share of days. */
  promotes: number
  /** The share of failed observations: an error or a missing page. */
  misses: number
  shippingCents: number
  freeFromCents: number
  deliveryDays: number
}

export const shops: readonly Shop[] = [
  {
    name: 'Northgate',
    host: 'northgate.example',
    country: 'US',
    level: 0.97,
    promotes: 0.006,
    misses: 0.04,
    shippingCents: 599,
    freeFromCents: 3500,
    deliveryDays: 2,
  },
  {
    name: 'Parcelbay',
    host: 'parcelbay.example',
    country: 'US',
    level: 0.93,
    promotes: 0.011,
    misses: 0.09,
    shippingCents: 0,
    freeFromCents: 0,
    deliveryDays: 3,
  },
  {
    name: 'Oak & Wire',
    host: 'oakandwire.example',
    country: 'GB',
    level: 1,
    promotes: 0.004,
    misses: 0.05,
    shippingCents: 499,
    freeFromCents: 5000,
    deliveryDays: 2,
  },
  {
    name: 'Hallmarkt',
    host: 'hallmarkt.example',
    country: 'DE',
    level: 0.95,
    promotes: 0.008,
    misses: 0.06,
    shippingCents: 495,
    freeFromCents: 2900,
    deliveryDays: 2,
  },
  {
    name: 'Maison Pratique',
    host: 'maisonpratique.example',
    country: 'FR',
    level: 1.03,
    promotes: 0.007,
    misses: 0.11,
    shippingCents: 590,
    freeFromCents: 6000,
    deliveryDays: 4,
  },
  {
    name: 'Koopwijs',
    host: 'koopwijs.example',
    country: 'NL',
    level: 0.96,
    promotes: 0.009,
    misses: 0.05,
    shippingCents: 295,
    freeFromCents: 2000,
    deliveryDays: 1,
  },
  {
    name: 'Prisfall',
    host: 'prisfall.example',
    country: 'SE',
    level: 0.98,
    promotes: 0.01,
    misses: 0.07,
    shippingCents: 490,
    freeFromCents: 4900,
    deliveryDays: 3,
  },
  {
    name: 'Discount Depot',
    host: 'discountdepot.example',
    country: 'US',
    level: 0.89,
    promotes: 0.013,
    misses: 0.14,
    shippingCents: 799,
    freeFromCents: 7500,
    deliveryDays: 5,
  },
]

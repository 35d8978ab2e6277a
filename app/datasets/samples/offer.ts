import { chanceOf, type Chance } from './chance.ts'
import { weekdayOf } from './days.ts'
import type { Product } from './products.ts'
import type { Shop } from './shops.ts'

/** The changes of an offer between two observations. */
export type Event = 'price up' | 'price down' | 'promotion begins' | 'promotion ends' | 'out of stock' | 'back in stock'

const LEAST_CENTS = 499

/** A product in one shop over time: prices change rarely and by little, promotions last days, stock runs out. Prices are in cents. */
export class Offer {
  readonly product: Product
  readonly shop: Shop
  inStock = true
  rating: number
  reviews: number
  /** For each observation of this day, whether it failed. */
  missed: readonly [boolean, boolean] = [false, false]
  #chance: Chance
  /** Separate, so that the offer's history does not depend on the observations. */
  #looks: Chance
  #regular: number
  #off = 0
  #promotionLeft = 0

  constructor(product: Product, shop: Shop) {
    this.product = product
    this.shop = shop
    this.#chance = chanceOf(`${product.id} ${shop.host}`)
    this.#looks = chanceOf(`looks at ${product.id} ${shop.host}`)
    this.#regular = ending(product.listCents * this.#chance.around(shop.level, 0.05))
    this.rating = Math.round(this.#chance.around(4.2, 0.35) * 10) / 10
    this.reviews = this.#chance.whole(3, 900)
  }

  get priceCents(): number {
    return this.#off === 0 ? this.#regular : ending(this.#regular * (1 - this.#off / 100))
  }

  get regularCents(): number {
    return this.#regular
  }

  get percentOff(): number {
    return this.#off
  }

  /** Simulates one day; returns the changes. */
  pass(day: string): Event[] {
    this.missed = [this.#looks.happens(this.shop.misses), this.#looks.happens(this.shop.misses)]
    this.reviews += this.#chance.happens(0.2) ? this.#chance.whole(1, 3) : 0
    return [...this.#passPromotion(day), ...this.#passPrice(), ...this.#passStock()]
  }

  #passPromotion(day: string): Event[] {
    if (this.#off > 0) {
      this.#promotionLeft -= 1
      if (this.#promotionLeft > 0) return []
      this.#off = 0
      return ['promotion ends']
    }
    // Promotions tend to begin on Thursdays and Fridays, and in the last week of November.
    const eager = [4, 5].includes(weekdayOf(day)) ? 2 : 0.7
    const season = /-11-2\d/.test(day) ? 6 : 1
    if (!this.#chance.happens(this.shop.promotes * eager * season)) return []
    this.#off = this.#chance.one([5, 10, 10, 15, 15, 20, 25, 30, 35])
    this.#promotionLeft = this.#chance.whole(3, 12)
    return ['promotion begins']
  }

  #passPrice(): Event[] {
    if (this.#off > 0 || !this.#chance.happens(0.018)) return []
    const before = this.#regular
    this.#regular = ending(Math.max(LEAST_CENTS, before * this.#chance.around(1.002, 0.05)))
    if (this.#regular === before) return []
    return [this.#regular > before ? 'price up' : 'price down']
  }

  #passStock(): Event[] {
    if (!this.#chance.happens(this.inStock ? 0.008 : 0.16)) return []
    this.inStock = !this.inStock
    return [this.inStock ? 'back in stock' : 'out of stock']
  }
}

/** Prices end in 9. */
function ending(cents: number): number {
  return Math.max(LEAST_CENTS, Math.round(cents / 10) * 10 - 1)
}

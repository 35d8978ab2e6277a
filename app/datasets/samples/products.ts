import { type Chance, chanceOf } from './chance.ts'

/** A product that several shops sell. Prices are in cents. */
export type Product = {
  id: string
  gtin: string
  name: string
  brand: string
  category: string
  subcategory: string
  listCents: number
}

const PRODUCTS = 200

/** The kinds of products with their lowest and highest usual price in dollars. */
const kinds = [
  ['Audio', 'Headphones', ['Over-Ear Headphones', 'In-Ear Headphones', 'Noise-Cancelling Headphones'], 39, 349],
  ['Audio', 'Speakers', ['Bluetooth Speaker', 'Bookshelf Speaker Pair', 'Soundbar'], 29, 449],
  ['Computing', 'Peripherals', ['Mechanical Keyboard', 'Wireless Mouse', 'Webcam', 'Laptop Stand'], 19, 189],
  ['Computing', 'Storage', ['Portable SSD 1 TB', 'Portable SSD 2 TB', 'Memory Card 256 GB'], 24, 229],
  ['Computing', 'Displays', ['27-inch Monitor', '32-inch Monitor', 'Portable Monitor'], 129, 699],
  ['Home', 'Kitchen', ['Stand Mixer', 'Espresso Machine', 'Air Fryer', 'Kettle', 'Hand Blender'], 25, 599],
  ['Home', 'Cleaning', ['Robot Vacuum', 'Cordless Vacuum', 'Steam Mop'], 79, 649],
  ['Home', 'Lighting', ['Desk Lamp', 'LED Floor Lamp', 'Smart Bulb Set'], 15, 149],
  ['Outdoor', 'Cycling', ['Bike Helmet', 'Bike Light Set', 'Floor Pump', 'Pannier Pair'], 19, 179],
  ['Outdoor', 'Camping', ['Two-Person Tent', 'Sleeping Bag', 'Gas Stove', 'Head Torch'], 22, 329],
  ['Garden', 'Tools', ['Hedge Trimmer', 'Cordless Drill', 'Pruning Shears', 'Leaf Blower'], 18, 259],
  ['Baby', 'Travel', ['Compact Stroller', 'Car Seat', 'Baby Carrier'], 69, 499],
] as const

/** All fictional. */
const brands = [
  'Alvora',
  'Brightmoor',
  'Castellan',
  'Dunmere',
  'Everlin',
  'Fennick',
  'Greyholt',
  'Halden',
  'Istria',
  'Jorvale',
  'Kestrow',
  'Lumeric',
]
const lines = ['One', 'Pro', 'Air', 'Lite', 'Max', 'S2', 'S3', 'Plus', 'Classic', 'Go']

/** Deterministic. */
export function sampleProducts(): Product[] {
  const chance = chanceOf('products')
  return Array.from({ length: PRODUCTS }, (_, index) => makeProduct(index, chance))
}

function makeProduct(index: number, chance: Chance): Product {
  const [category, subcategory, names, lowest, highest] = chance.one(kinds)
  const brand = chance.one(brands)
  const number = String(index + 1).padStart(4, '0')
  const dollars = lowest + (highest - lowest) * chance.share() ** 1.6
  return {
    id: `P-${number}`,
    gtin: gtinOf(number),
    name: `${brand} ${chance.one(names)} ${chance.one(lines)}`,
    brand,
    category,
    subcategory,
    listCents: Math.round(dollars) * 100 - 1,
  }
}

/** Numbers that begin with 2 are for use within a company, so these belong to no real product. The last digit is the check digit. */
function gtinOf(number: string): string {
  const digits = `20000000${number}`
  const sum = Array.from(digits, (digit, index) => Number(digit) * (index % 2 === 0 ? 1 : 3)).reduce((total, part) => total + part, 0)
  return `${digits}${(10 - (sum % 10)) % 10}`
}

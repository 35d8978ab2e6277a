import { href } from 'react-router'
import { type Offering, offerWords } from '#app/content/offerings.ts'
import { priceText } from '#app/content/price.ts'
import { ButtonLink } from '#app/ui/button-link.tsx'
import { cx } from '#app/ui/class-names.ts'
import { Section } from '#app/ui/section.tsx'

type OfferingSheetProps = {
  offering: Offering
  /** A sample of the delivery. */
  sample: React.ReactNode
  isMirrored: boolean
}

/** One offering: its description, sample, features, price and delivery time. */
export function OfferingSheet({ offering, sample, isMirrored }: OfferingSheetProps) {
  const { id, title, promise, description, features, bestFor, price, covers, time, action } = offering
  return (
    <Section id={id} ground={isMirrored ? 'surface' : 'paper'} className="grid gap-x-12 gap-y-10 lg:grid-cols-12">
      <div className={cx('grid content-start gap-5 lg:col-span-5', isMirrored && 'lg:order-last')}>
        <h2 id={`${id}-title`}>{title}</h2>
        <p className="text-lead">{promise}</p>
        <p className="max-w-[60ch] text-muted">{description}</p>
        <p className="text-small">
          <span className="eyebrow block">{offerWords.bestFor}</span> {bestFor}
        </p>
      </div>
      <div className="min-w-0 lg:col-span-7">
        {sample}
        <ul className="mt-8 grid gap-x-8 sm:grid-cols-2">
          {features.map((feature) => (
            <li key={feature} className="border-t border-line py-3 text-small">
              {feature}
            </li>
          ))}
        </ul>
      </div>
      <dl className="grid gap-6 rounded-card bg-sunken p-6 sm:grid-cols-3 sm:p-8 lg:order-last lg:col-span-12 lg:grid-cols-12 lg:items-start">
        <div className="lg:col-span-3">
          <dt className="eyebrow">{offerWords.price}</dt>
          <dd className="mt-1 font-mono text-h3 font-semibold">{priceText(price)}</dd>
        </div>
        <div className="lg:col-span-3">
          <dt className="eyebrow">{offerWords.covers}</dt>
          <dd className="mt-1 text-small">{covers}</dd>
        </div>
        <div className="lg:col-span-3">
          <dt className="eyebrow">{offerWords.time}</dt>
          <dd className="mt-1 text-small">{time}</dd>
        </div>
        <div className="sm:col-span-3 lg:self-center lg:text-right">
          <dt className="sr-only">{offerWords.next}</dt>
          <dd>
            <ButtonLink to={href('/contact')}>{action}</ButtonLink>
          </dd>
        </div>
      </dl>
    </Section>
  )
}

import { offerWords } from '#app/content/offerings.ts'
import { priceText } from '#app/content/price.ts'
import { cardWords, type Service } from '#app/content/services.ts'
import { Badge } from '#app/ui/badge.tsx'
import { buttonLook } from '#app/ui/button-look.ts'
import { cx } from '#app/ui/class-names.ts'

type ServiceCardProps = {
  service: Service
  /** A sample of the delivery. */
  sample: React.ReactNode
  /** Places the sample at its side. */
  isWide: boolean
  className?: string
}

/** A solution of the catalog: its description, contents, audience and price. */
export function ServiceCard({ service, sample, isWide, className }: ServiceCardProps) {
  const { id, title, description, features, bestFor, price, covers, popular } = service
  return (
    <article
      aria-labelledby={`service-${id}`}
      className={cx('flex flex-col rounded-card border bg-surface p-5 sm:p-7', popular ? 'border-grain' : 'border-line', className)}
    >
      <div className={cx('grid gap-x-8 gap-y-6', isWide && 'grow sm:grid-cols-2 sm:grid-rows-[auto_1fr]')}>
        <div className="grid content-start gap-3">
          {popular && (
            <p>
              <Badge look="grain">{cardWords.popular}</Badge>
            </p>
          )}
          <h3 id={`service-${id}`}>{title}</h3>
          <p className="text-small text-muted">{description}</p>
        </div>
        <div className={cx('grid', isWide && 'sm:row-span-2')}>{sample}</div>
        <ul>
          {features.map((feature) => (
            <li key={feature} className="border-t border-line py-2 text-small">
              {feature}
            </li>
          ))}
        </ul>
      </div>
      <p className="mt-4 mb-6 text-small text-muted">
        <span className="font-semibold text-ink">{offerWords.bestFor}:</span> {bestFor}
      </p>
      <div className="mt-auto flex flex-wrap items-end justify-between gap-4 border-t border-line pt-5">
        <p>
          <span className="block font-mono text-body font-semibold">{priceText(price)}</span>{' '}
          <span className="block text-fine text-muted">{covers}</span>
        </p>
        <a href="#contact" className={buttonLook(popular ? 'primary' : 'quiet')} aria-label={`${cardWords.quote}: ${title}`}>
          {cardWords.quote}
        </a>
      </div>
    </article>
  )
}

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
}

/** A solution of the catalog: its description, contents, audience and price. */
export function ServiceCard({ service, sample }: ServiceCardProps) {
  const { id, title, description, features, bestFor, price, covers, popular } = service
  return (
    <article
      aria-labelledby={`service-${id}`}
      className={cx('relative flex flex-col gap-3 rounded-card border bg-surface p-5', popular ? 'border-grain' : 'border-line')}
    >
      {popular && (
        <Badge look="grain" className="absolute -top-3 right-5 border border-grain">
          {cardWords.popular}
        </Badge>
      )}
      <div className="grid h-32 overflow-hidden rounded-card">{sample}</div>
      <h3 id={`service-${id}`}>{title}</h3>
      <p className="text-small text-muted">{description}</p>
      <ul>
        {features.map((feature) => (
          <li key={feature} className="border-t border-line py-1 text-fine">
            {feature}
          </li>
        ))}
      </ul>
      <p className="text-fine text-muted">
        <span className="font-semibold text-ink">{offerWords.bestFor}:</span> {bestFor}
      </p>
      <div className="mt-auto flex items-center justify-between gap-3 border-t border-line pt-3">
        <p>
          <span className="block font-mono text-body font-semibold">{priceText(price)}</span>{' '}
          <span className="block text-fine text-muted">{covers}</span>
        </p>
        <a
          href="#contact"
          className={cx(buttonLook(popular ? 'primary' : 'quiet'), 'shrink-0')}
          aria-label={`${cardWords.quote}: ${title}`}
        >
          {cardWords.quote}
        </a>
      </div>
    </article>
  )
}

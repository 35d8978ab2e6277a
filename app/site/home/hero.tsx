import { href } from 'react-router'
import { hero } from '#app/content/home.ts'
import { Badge } from '#app/ui/badge.tsx'
import { ButtonLink } from '#app/ui/button-link.tsx'
import { Extraction } from './extraction.tsx'

export function Hero() {
  return (
    <section className="wrap grid gap-x-8 gap-y-8 pt-12 pb-20 sm:pt-16 lg:grid-cols-12 lg:pb-28">
      <div className="grid content-start justify-items-start gap-5 lg:col-span-8">
        <Badge look="leaf" dot>
          {hero.badge}
        </Badge>
        <h1 className="text-hero tracking-[-0.03em]">{hero.title}</h1>
      </div>
      <div className="grid content-end gap-6 lg:col-span-4 lg:pb-2">
        <p className="max-w-[44ch] text-lead text-muted">{hero.text}</p>
        <div className="grid gap-3 md:grid-cols-[3fr_2fr] lg:grid-cols-1 lg:justify-items-start">
          <ButtonLink to={href('/contact')} size="large">
            {hero.quote}
          </ButtonLink>
          <ButtonLink to={href('/case-studies')} size="large" look="quiet">
            {hero.stories}
          </ButtonLink>
        </div>
      </div>
      <div data-turn="1" className="min-w-0 pt-2 lg:col-span-12 lg:pt-6">
        <Extraction />
      </div>
    </section>
  )
}

import { href } from 'react-router'
import { founder } from '#app/content/about.ts'
import { aboutSection } from '#app/content/home.ts'
import { Portrait, ProfileLink } from '#app/site/shell/portrait.tsx'
import { Bullets } from '#app/ui/bullets.tsx'
import { ButtonLink } from '#app/ui/button-link.tsx'
import { Card } from '#app/ui/card.tsx'
import { cx } from '#app/ui/class-names.ts'
import { Section } from '#app/ui/section.tsx'

/** The founder's picture and words, beside what the business is good at. */
export function About() {
  return (
    <Section id="about" pad="close" className="grid gap-x-14 gap-y-8 lg:grid-cols-12 lg:items-center">
      <Card as="figure" pad="none" className={cx('lg:col-span-4', founder.picture && 'max-lg:grid max-lg:grid-cols-[2fr_3fr]')}>
        <Portrait />
        <figcaption className="grid content-center gap-3 p-4 sm:p-6 lg:border-line lg:not-first:border-t">
          <blockquote className="font-display text-h3 font-semibold tracking-tight text-balance">
            <p>{founder.quote}</p>
          </blockquote>
          <p className="text-small text-muted">
            <span className="font-semibold text-ink">{founder.name}</span>, {founder.role}
            <span className="mt-1 block">
              <ProfileLink />
            </span>
          </p>
        </figcaption>
      </Card>
      <div className="lg:col-span-8">
        <h2 id="about-title">{aboutSection.title}</h2>
        <p className="mt-3 text-lead text-muted">{aboutSection.text}</p>
        <Bullets items={aboutSection.expertise} className="mt-6 gap-2" />
        <p className="mt-6">
          <ButtonLink to={href('/about')} look="quiet">
            {aboutSection.more}
          </ButtonLink>
        </p>
      </div>
    </Section>
  )
}

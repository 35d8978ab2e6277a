import { href } from 'react-router'
import { founder } from '#app/content/about.ts'
import { aboutSection } from '#app/content/home.ts'
import { Portrait } from '#app/site/shell/portrait.tsx'
import { ButtonLink } from '#app/ui/button-link.tsx'

/** The founder's picture and words, beside what the business is good at. */
export function About() {
  return (
    <section id="about" aria-labelledby="about-title" className="border-t border-line">
      <div className="wrap grid gap-x-14 gap-y-8 py-11 lg:grid-cols-12 lg:items-center lg:py-12">
        <figure className="overflow-hidden rounded-card border border-line bg-surface max-lg:grid max-lg:grid-cols-[2fr_3fr] lg:col-span-4">
          <Portrait />
          <figcaption className="grid content-center gap-3 p-4 sm:p-6 lg:border-t lg:border-line">
            <blockquote className="font-display text-h3 font-semibold tracking-tight text-balance">
              <p>{founder.quote}</p>
            </blockquote>
            <p className="text-small text-muted">
              <span className="font-semibold text-ink">{founder.name}</span>, {founder.role}
            </p>
          </figcaption>
        </figure>
        <div className="lg:col-span-8">
          <h2 id="about-title">{aboutSection.title}</h2>
          <p className="mt-3 text-lead text-muted">{aboutSection.text}</p>
          <ul className="mt-6 grid gap-2">
            {aboutSection.expertise.map((point) => (
              <li
                key={point}
                className="relative pl-6 before:absolute before:top-[0.6em] before:left-0 before:h-1.5 before:w-3 before:rounded-full before:bg-grain"
              >
                {point}
              </li>
            ))}
          </ul>
          <p className="mt-6">
            <ButtonLink to={href('/about')} look="quiet">
              {aboutSection.more}
            </ButtonLink>
          </p>
        </div>
      </div>
    </section>
  )
}

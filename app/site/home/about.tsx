import { href } from 'react-router'
import { founder } from '#app/content/about.ts'
import { aboutSection } from '#app/content/home.ts'
import { ButtonLink } from '#app/ui/button-link.tsx'

export function About() {
  return (
    <section id="about" aria-labelledby="about-title" className="border-t border-line">
      <div className="wrap grid gap-x-12 gap-y-10 py-20 sm:py-28 lg:grid-cols-12">
        <div className="lg:col-span-6">
          <h2 id="about-title">{aboutSection.title}</h2>
          <p className="mt-4 text-lead text-muted">{aboutSection.text}</p>
          <ul className="mt-8 grid gap-3">
            {aboutSection.expertise.map((point) => (
              <li
                key={point}
                className="relative pl-6 before:absolute before:top-[0.6em] before:left-0 before:h-1.5 before:w-3 before:rounded-full before:bg-grain"
              >
                {point}
              </li>
            ))}
          </ul>
          <p className="mt-8">
            <ButtonLink to={href('/about')} look="quiet">
              {aboutSection.more}
            </ButtonLink>
          </p>
        </div>
        <figure className="self-center border-l-2 border-grain pl-6 sm:pl-10 lg:col-span-5 lg:col-start-8">
          <blockquote className="font-display text-h2 font-semibold tracking-tight text-balance">
            <p>{founder.quote}</p>
          </blockquote>
          <figcaption className="mt-5 text-small">
            <span className="font-semibold">{founder.name}</span>
            <span className="block text-muted">{founder.role}</span>
          </figcaption>
        </figure>
      </div>
    </section>
  )
}

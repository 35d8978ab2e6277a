import { technologies, technologySection } from '#app/content/home.ts'

/** The six steps of a page's data, joined by a line. */
export function Technology() {
  return (
    <section id="technology" aria-labelledby="technology-title" className="border-t border-line bg-sunken">
      <div className="wrap py-20 sm:py-28">
        <div className="max-w-3xl">
          <h2 id="technology-title">{technologySection.title}</h2>
          <p className="mt-4 text-lead text-muted">{technologySection.text}</p>
        </div>
        <ol className="mt-14 grid gap-y-8 sm:grid-cols-2 sm:gap-y-12 lg:grid-cols-3">
          {technologies.map(({ title, description, tools }) => (
            <li key={title} className="relative border-t-2 border-edge pt-6 pr-8">
              <span className="absolute -top-[7px] left-0 size-3 rounded-full border-2 border-edge bg-grain" aria-hidden="true" />
              <h3>{title}</h3>
              <p className="mt-2 text-small text-muted">{description}</p>
              <p className="mt-3 font-mono text-fine">{tools}</p>
            </li>
          ))}
        </ol>
      </div>
    </section>
  )
}

import { painPoints } from '#app/content/home.ts'

export function PainPoints() {
  return (
    <section aria-labelledby="pain-points" className="wrap py-20 sm:py-28">
      <div className="max-w-3xl">
        <h2 id="pain-points">{painPoints.title}</h2>
        <p className="mt-4 text-lead text-muted">{painPoints.text}</p>
      </div>
      <ul className="mt-12 grid sm:grid-cols-2">
        {painPoints.items.map(({ title, text }) => (
          <li key={title} className="border-t border-line py-7 sm:px-8 sm:odd:border-r sm:odd:pl-0 sm:even:pr-0 lg:px-12">
            <h3>{title}</h3>
            <p className="mt-2 max-w-[48ch] text-muted">{text}</p>
          </li>
        ))}
      </ul>
    </section>
  )
}

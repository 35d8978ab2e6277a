import { founder } from '#app/content/about.ts'
import { identity, isExample } from '#app/content/identity.ts'
import { siteFileUrl } from '#app/content/settings/live.ts'

/** The founder's picture, where there is one. */
export function Portrait() {
  if (!founder.picture) return null
  return (
    <img
      src={siteFileUrl(founder.picture)}
      alt={founder.name}
      width="800"
      height="520"
      className="aspect-[20/13] w-full bg-sunken object-cover"
    />
  )
}

/** The founder on the professional network. */
export function ProfileLink() {
  const { label, url } = identity.professionalNetwork
  return (
    <a href={url} rel={isExample(url) ? 'noopener' : 'me noopener'} className="link">
      {label}
    </a>
  )
}

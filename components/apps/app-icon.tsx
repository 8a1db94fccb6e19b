interface AppIconProps {
  app: { name: string; icon?: string | null }
  className: string
}

/** Each has 4.5:1 and more to white. */
const colours = ['#0c5a4d', '#27548a', '#6b3f8f', '#8a3b4f', '#7a4a1d', '#4a5a1f', '#3d4a5c', '#4448a0']

/** The same for an app on every page and device. */
const colourOf = (name: string) => {
  const sum = Array.from(name).reduce((total, letter) => (total * 31 + (letter.codePointAt(0) ?? 0)) % 65_521, 7)
  return colours[sum % colours.length]
}

const firstLetterOf = (name: string) => [...new Intl.Segmenter().segment(name.trim())][0]?.segment ?? ''

/**
 * The app's icon, or its first letter. Decorative: the name stands beside it.
 *
 * @param className how large it is
 */
export function AppIcon({ app: { name, icon }, className }: AppIconProps) {
  if (icon)
    return (
      // biome-ignore lint/performance/noImgElement: it is small, and as it should be.
      <img
        src={icon}
        alt=""
        width="52"
        height="52"
        loading="lazy"
        className={`${className} shrink-0 rounded-[25%] object-contain`}
      />
    )
  return (
    <svg aria-hidden="true" viewBox="0 0 56 56" className={`${className} shrink-0`}>
      <rect width="56" height="56" rx="14" fill={colourOf(name)} />
      <text
        x="28"
        y="28"
        fill="#fff"
        fontSize="24"
        fontWeight="600"
        textAnchor="middle"
        dominantBaseline="central"
        className="uppercase"
      >
        {firstLetterOf(name)}
      </text>
    </svg>
  )
}

/** Stands above the title of a page to which the app has led. */
export const AppOrnament = ({ app }: { app: AppIconProps['app'] | null | undefined }) =>
  app && <AppIcon app={app} className="mx-auto mb-4 size-12" />

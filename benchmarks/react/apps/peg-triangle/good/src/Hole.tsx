interface Props {
  number: number
  hasPeg: boolean
  isSelected: boolean
  onPress: () => void
}

export function Hole({ number, hasPeg, isSelected, onPress }: Props) {
  return (
    <button
      type="button"
      className={hasPeg ? 'hole peg' : 'hole'}
      aria-label={`Hole ${number}, ${hasPeg ? 'peg' : 'empty'}`}
      aria-pressed={isSelected}
      onClick={onPress}
    >
      <span aria-hidden="true">{number}</span>
    </button>
  )
}

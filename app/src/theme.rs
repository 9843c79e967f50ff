//! The colour scheme a reader chose. What it does to the page is written in `style/tokens.css`.

/// A reader's choice of colour scheme, kept in the cookie `theme`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Theme {
    /// As the reader's system has it; what holds until something is chosen.
    #[default]
    System,
    /// Always light.
    Light,
    /// Always dark.
    Dark,
}

impl Theme {
    /// Every choice, in the order the switch shows them.
    pub const ALL: [Self; 3] = [Self::System, Self::Light, Self::Dark];

    /// Reads the value of the cookie or of the form field `theme`; `None` when it names no choice.
    #[must_use]
    pub fn parse(value: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|theme| theme.as_str() == value)
    }

    /// The value in the cookie and the form.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::Light => "light",
            Self::Dark => "dark",
        }
    }

    /// The value of `data-theme` on the document's root; none where the system decides.
    #[must_use]
    pub(crate) const fn data_theme(self) -> Option<&'static str> {
        match self {
            Self::System => None,
            Self::Light | Self::Dark => Some(self.as_str()),
        }
    }

    /// The word on the switch.
    #[must_use]
    pub(crate) const fn word(self) -> &'static str {
        match self {
            Self::System => "System",
            Self::Light => "Light",
            Self::Dark => "Dark",
        }
    }

    /// The id of the radio button, which `style/tokens.css` looks at to change the scheme without a script.
    #[must_use]
    pub(crate) const fn control_id(self) -> &'static str {
        match self {
            Self::System => "theme-system",
            Self::Light => "theme-light",
            Self::Dark => "theme-dark",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Theme;

    #[test]
    fn every_choice_is_read_back_from_its_own_value() {
        for theme in Theme::ALL {
            assert_eq!(Theme::parse(theme.as_str()), Some(theme));
        }
    }

    #[test]
    fn a_value_that_names_no_choice_is_not_guessed() {
        for value in ["", "Dark", "dark ", "sepia"] {
            assert_eq!(Theme::parse(value), None, "{value:?}");
        }
    }

    #[test]
    fn only_a_fixed_scheme_is_printed_on_the_root() {
        assert_eq!(Theme::ALL.map(Theme::data_theme), [None, Some("light"), Some("dark")]);
    }
}

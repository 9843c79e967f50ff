//! What has to be asked for a batch: every different question once.

use std::collections::{HashMap, hash_map::Entry as MapEntry};

use foldhash::fast::RandomState;

use super::{batch::Batch, registry::Lookup, requesters::Requesters};

/// The different lookups of a batch, in the order of their first place.
#[derive(Clone, Debug)]
pub struct VerificationPlan {
    lookups: Vec<Lookup>,
    /// For each entry of the batch, the lookup that answers it; `None` where no registry is asked.
    answers: Vec<Option<usize>>,
}

impl VerificationPlan {
    /// Plans a batch. Equal numbers share one lookup.
    #[must_use]
    pub fn build(batch: &Batch, requesters: &Requesters) -> Self {
        let mut lookups = Vec::with_capacity(batch.entries().len());
        let mut places = HashMap::with_capacity_and_hasher(batch.entries().len(), RandomState::default());
        let answers = batch
            .entries()
            .iter()
            .map(|entry| {
                let number = entry.reading.number()?;
                let lookup = Lookup { number, requester: requesters.asking_about(number.prefix()) };
                Some(match places.entry(lookup) {
                    MapEntry::Occupied(known) => *known.get(),
                    MapEntry::Vacant(new) => {
                        lookups.push(lookup);
                        *new.insert(lookups.len() - 1)
                    }
                })
            })
            .collect();
        Self { lookups, answers }
    }

    /// The lookups, each once.
    #[must_use]
    pub fn lookups(&self) -> &[Lookup] {
        &self.lookups
    }

    /// The index of the lookup that answers the entry at `position`.
    #[must_use]
    pub fn answer_to(&self, position: usize) -> Option<usize> {
        self.answers.get(position).copied().flatten()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(numbers: &[&str], requesters: &Requesters) -> VerificationPlan {
        let batch = Batch::read(numbers.iter().map(|number| (*number).to_owned()).collect());
        VerificationPlan::build(&batch, requesters)
    }

    #[test]
    fn equal_numbers_are_asked_once_and_answer_every_place() {
        let plan =
            plan(&["IE6388047V", "GB980780684", "ie 6388047 v", "IE-6388047-V"], &Requesters::default());
        let asked: Vec<String> = plan.lookups().iter().map(|lookup| lookup.number.to_string()).collect();
        assert_eq!(asked, ["IE6388047V", "GB980780684"]);
        assert_eq!(
            (0..4).map(|at| plan.answer_to(at)).collect::<Vec<_>>(),
            [Some(0), Some(1), Some(0), Some(0)]
        );
    }

    #[test]
    fn what_no_registry_can_answer_is_not_asked() {
        let plan = plan(&["", "CHE116281710", "GBGD100", "DE1", "DE136695976"], &Requesters::default());
        assert_eq!(plan.lookups().len(), 1);
        assert_eq!(
            (0..5).map(|at| plan.answer_to(at)).collect::<Vec<_>>(),
            [None, None, None, None, Some(0)]
        );
    }

    #[test]
    fn each_registry_is_asked_in_the_name_of_its_own_requester() {
        let mut requesters = Requesters::default();
        let number = |text| vat::VatNumber::parse(text).number().expect("a number");
        requesters.add(number("GB980780684")).expect("first for HMRC");
        requesters.add(number("XI110305878")).expect("first for VIES");
        assert_eq!(requesters.add(number("DE136695976")), Err(vat::Registry::Vies));
        let plan = plan(&["GB434031494", "DE136695976", "XI980780684"], &requesters);
        let named: Vec<String> = plan
            .lookups()
            .iter()
            .map(|lookup| lookup.requester.map_or_else(String::new, |requester| requester.to_string()))
            .collect();
        assert_eq!(named, ["GB980780684", "XI110305878", "XI110305878"]);
    }
}

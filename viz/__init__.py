"""What a person sees: figures, components and pages over the records that model.translate makes."""

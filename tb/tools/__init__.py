"""What is measured, drawn, built for boards, and published."""
